"""What an uninstall takes out of a store, and what it leaves so that nothing is lost."""
