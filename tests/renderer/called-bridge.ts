import type { Bridge } from '../../src-shared/bridge/connect.ts'

/** An engine's end that answers calls only: no watch of it ever hears anything. */
export const calledBridge = (call: Bridge['call']): Bridge => ({
  call,
  watch: () => () => {},
  opening: () => null,
  reconnect: () => {},
})
