/** What this app calls itself; the same as in package.json. */
export const appVersion = '0.1.0'
