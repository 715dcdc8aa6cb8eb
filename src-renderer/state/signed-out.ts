import { getContext, setContext } from 'svelte'

type Read = () => boolean

const key = Symbol('signed-out')

/** Tells all components inside whether what waits for the server waits until the person signs in again. */
export const provideSignedOut = (read: Read): Read => setContext(key, read)

/** A function that returns whether the person has to sign in again. Call it only while a component is created. */
export const useSignedOut = (): Read => getContext<Read | undefined>(key) ?? (() => false)
