/** How long a picture is waited for, milliseconds: a window that is hidden paints none. */
const longestMs = 50

/** Resolves when what the page came with was painted, so that the work of making it live does not hold it up. */
export function picturePainted(): Promise<void> {
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
