import { getContext, setContext } from 'svelte'
import { t } from '../../src-shared/texts/texts.ts'

type Read = () => boolean

const key = Symbol('signed-out')

/** Tells all components inside whether what waits for the server waits until the person signs in again. */
export const provideSignedOut = (read: Read): Read => setContext(key, read)

/** When something that waits for the server goes on: the end of a sentence that promises it. */
export const whenBack = (isSignedOut: boolean): string =>
  isSignedOut ? t.shared.whenBack.signedIn : t.shared.whenBack.online

/** A function that returns these words. Call it only while a component is created. */
export const useWhenBack = (): (() => string) => {
  const isSignedOut = getContext<Read | undefined>(key)
  return () => whenBack(isSignedOut?.() === true)
}
