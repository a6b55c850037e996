"""Commands about past games: listing, showing and exporting them."""
