"""Read what stands around a value: verb group, subject, topic, circumstances, modality."""
