/** Which way requests go to a server. */
export type ProxyChoice =
  /** As this machine says, for each address. */
  { readonly kind: 'system' } | { readonly kind: 'none' } | { readonly kind: 'address'; readonly url: string }

/** How an account's requests reach its server. */
export interface AccountNetwork {
  readonly proxy: ProxyChoice
  /** Certificates of authorities to trust beside the built-in ones, as PEM text; null for none. */
  readonly certificates: string | null
}

/** What holds unless the person chose otherwise. */
export const usualNetwork: AccountNetwork = { proxy: { kind: 'system' }, certificates: null }
