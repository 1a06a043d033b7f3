/** What the fleet survives. */
