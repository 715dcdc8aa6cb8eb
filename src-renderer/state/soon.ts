/** How long something that can also go on without the server waits for it, in milliseconds. */
const patienceMs = 1_000
/** How long something may take before the window says that it waits, in milliseconds. */
const signMs = 200

/** What a promise resolves to, or null if that takes longer than a second; `onWait` is called before it seems slow. */
export async function soon<T>(promise: Promise<T>, onWait: () => void): Promise<T | null> {
  const sign = setTimeout(onWait, signMs)
  let end: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => (end = setTimeout(() => resolve(null), patienceMs)))
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(sign)
    clearTimeout(end)
  }
}
