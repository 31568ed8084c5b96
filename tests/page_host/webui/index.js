/** The chat that a person has open: the one that the address names. */
export const getContext = () => new URLSearchParams(location.search).get("chat") ?? "";
