"""The laboratory: its makers, surveys, adapters and runners."""
