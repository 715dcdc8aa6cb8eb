/** Whether and which proxy requests use. */
export type ProxyChoice =
  /** The system's setting, asked for each address. */
  { readonly kind: 'system' } | { readonly kind: 'none' } | { readonly kind: 'address'; readonly url: string }

/** How an account's requests reach its server. */
export interface AccountNetwork {
  readonly proxy: ProxyChoice
  /** Certificates of authorities to trust besides the built-in ones, as PEM text; null for none. */
  readonly certificates: string | null
}

/** The default. */
export const usualNetwork: AccountNetwork = { proxy: { kind: 'system' }, certificates: null }
