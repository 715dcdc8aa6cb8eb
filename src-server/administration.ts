export { assertAdministrator } from './permissions.ts'
