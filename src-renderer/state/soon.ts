/** How long something that can also go on without the server waits for it, in milliseconds. */
const patienceMs = 1_000

/** What a promise resolves to, or null if that takes longer than a second. Rejects as it does. */
export async function soon<T>(promise: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), patienceMs)))
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
