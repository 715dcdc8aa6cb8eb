import { getContext, setContext } from 'svelte'
import type { AccountSettings } from '../../../src-shared/bridge/queries.ts'

type Read = () => AccountSettings | undefined

const key = Symbol('reader-settings')

/** Provides the account's current settings to all components inside. */
export const provideReaderSettings = (read: Read): Read => setContext(key, read)

/**
 * A function that returns the reader's settings, undefined until they are known. Call it only while a component is
 * created.
 */
export const useReaderSettings = (): Read => getContext<Read | undefined>(key) ?? (() => undefined)
