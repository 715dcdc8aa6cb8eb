import { getContext, setContext } from 'svelte'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'

const key = Symbol('bridge')

/** Gives the bridge to all components below. Call it only while a component is being created. */
export const provideBridge = (bridge: Bridge): Bridge => setContext(key, bridge)
/** The bridge to the engine. Call it only while a component is being created. */
export const useBridge = (): Bridge => getContext(key)
