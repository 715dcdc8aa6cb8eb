/** A device, as the push bouncer knows it. */
export interface PushDevice {
  readonly token: string
  readonly kind: 'apns' | 'fcm'
  /** The device's app; empty for kinds that need none. */
  readonly app_id: string
}

/** What became of a notification to a device. */
export type PushOutcome = 'accepted' | 'unknown-device' | 'unreachable' | 'failed'

const timeoutMs = 10_000

/**
 * Sends a notification to the push bouncer: a POST of JSON with `token`, `kind`, `app_id` and `payload`. It answers
 * 2xx, or 404 for a device that it does not know. Never rejects.
 */
export async function pushTo(
  bouncerUrl: string,
  device: PushDevice,
  payload: Readonly<Record<string, unknown>>,
): Promise<PushOutcome> {
  try {
    const answer = await fetch(bouncerUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...device, payload }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await answer.body?.cancel()
    if (answer.ok) return 'accepted'
    return answer.status === 404 ? 'unknown-device' : 'failed'
  } catch {
    return 'unreachable'
  }
}
