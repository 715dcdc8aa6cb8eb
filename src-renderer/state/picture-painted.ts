/** How long a picture is waited for, milliseconds: longer than a slow machine takes, in case none is painted at all. */
const longestMs = 500

/**
 * Resolves when what the page came with was painted, so that the work of making it live does not hold it up; at once
 * where the window is hidden, which paints nothing.
 */
export function picturePainted(): Promise<void> {
  if (document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    setTimeout(resolve, longestMs)
    requestAnimationFrame(() => {
      // Told after the frame, not before it.
      const channel = new MessageChannel()
      channel.port1.onmessage = () => resolve()
      channel.port2.postMessage(null)
    })
  })
}
