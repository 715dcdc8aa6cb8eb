import { getContext, setContext } from 'svelte'

const key = Symbol('around-dialog')

/** Tells all components inside a dialog how it is closed. Call it only while the dialog is being created. */
export const provideDialog = (close: () => void): (() => void) => setContext(key, close)
/** Closes the dialog around; does nothing outside of dialogs. Call it only while a component is being created. */
export const useDialog = (): (() => void) => getContext<(() => void) | undefined>(key) ?? (() => {})
