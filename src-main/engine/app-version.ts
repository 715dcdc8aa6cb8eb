/** The version of the app; equal to that in package.json. */
export const appVersion = '0.1.0'
