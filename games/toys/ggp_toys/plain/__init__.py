"""The toys as plain classes, beside the forms that are compiled today."""
