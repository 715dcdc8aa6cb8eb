import { getContext, setContext } from 'svelte'
import type { AccountSettings } from '../../src-shared/bridge/queries.ts'

type Read = () => AccountSettings | undefined

const key = Symbol('reader-settings')

/** Gives everything inside the present settings of the account. */
export const provideReaderSettings = (read: Read): Read => setContext(key, read)

/** How the reader's settings are asked for, undefined until they are known; only while a component is being made. */
export const useReaderSettings = (): Read => getContext<Read | undefined>(key) ?? (() => undefined)
