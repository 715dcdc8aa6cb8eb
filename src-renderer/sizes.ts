import { t } from '../src-shared/texts/texts.ts'

const rounded = (size: number) => Math.round(size * 10) / 10

/** A size in words: "12 B", "640 KB", "12.4 MB", "3.1 GB". */
export function sizeWords(bytes: number): string {
  if (bytes < 1e3) return t.shared.sizes.bytes(bytes)
  if (bytes < 1e6) return t.shared.sizes.kilobytes(Math.round(bytes / 1e3))
  if (bytes < 1e9) return t.shared.sizes.megabytes(rounded(bytes / 1e6))
  return t.shared.sizes.gigabytes(rounded(bytes / 1e9))
}
