/**
 * The pages about oneself.
 * @module
 */

/** @typedef {"games" | "stats" | "ranks" | "friends" | "daily"} Tab */

/** @type {Record<Tab, string>} */
export const TABS = { games: "My games", stats: "Statistics", ranks: "Ranks", friends: "Friends", daily: "Daily deals" };
