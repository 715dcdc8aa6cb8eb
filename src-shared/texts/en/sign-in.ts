/** Adding an organization, and signing in to it. */
export const signIn = {
  /** Beside the form, in two lines. */
  promise: ['Every device in sync,', 'through any weather.'],
  promiseHow: 'Read, search and write without a connection. Dunlin sends it all when the network is back.',
  addOrganization: 'Add an organization',
  worksWith: 'Works with your team’s server, your own or a hosted one.',
  address: 'Organization address',
  sampleAddress: 'chat.example.org',
  continue: 'Continue',
  network: 'Network settings',
  or: 'or',
  startDemo: 'Start the demo workspace',
  demo: 'A sample workspace on this computer, with people who reply. No account needed.',
  back: 'Back',
  signIn: 'Sign in',
  whereMessagesStay: 'Your messages stay on this device and on your server.',
  changeOrganization: 'Change',
  olderServer: (lack: string) => `${lack} This server is older.`,
  way: 'Sign-in method',
  ways: { password: 'Password', 'api-key': 'API key' },
  email: 'Email',
  /** Beside a field that was left empty. */
  missing: {
    address: 'Enter the organization’s address.',
    email: 'Enter your email.',
    password: 'Enter your password.',
    'api-key': 'Enter your API key.',
  },
  keyInFile:
    'The password is used once, to get a key from the server. The key is kept in a file that only you can read.',
  keyInKeychain:
    'The password is used once, to get a key from the server. The key is kept in the system keychain.',
  looking: 'Looking for the organization',
  signingIn: 'Signing in',
  startingDemo: 'Starting the demo workspace',
}
