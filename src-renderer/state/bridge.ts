import { getContext, setContext } from 'svelte'
import type { Bridge } from '../../src-shared/bridge/connect.ts'

const key = Symbol('bridge')

export const provideBridge = (bridge: Bridge): Bridge => setContext(key, bridge)
/** The way to the engine; only while a component is being made. */
export const useBridge = (): Bridge => getContext(key)
