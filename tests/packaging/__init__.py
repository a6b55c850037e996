"""What is installed: wheel, sdist, unit, container, manuals."""
