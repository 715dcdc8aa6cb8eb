import type { signIn as en } from '../en/sign-in.ts'

export const signIn: typeof en = {}
