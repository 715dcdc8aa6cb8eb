/**
 * How long to wait for the paint, in milliseconds: longer than a slow machine takes, in case there is no paint at all.
 */
const longestMs = 500

/**
 * Resolves when the delivered page was painted, so that hydration does not delay the paint; at once if the window is
 * hidden, because it paints nothing.
 */
export function picturePainted(): Promise<void> {
  if (document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    setTimeout(resolve, longestMs)
    requestAnimationFrame(() => {
      // Reported after the frame, not before it.
      const channel = new MessageChannel()
      channel.port1.onmessage = () => resolve()
      channel.port2.postMessage(null)
    })
  })
}
