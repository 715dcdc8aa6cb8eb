import type { DiskTrouble } from '../../../src-shared/model/account.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { sizeWords } from '../../sizes.ts'

/** The banner's text about a disk that cannot be written; for a full disk also the free space, if known. */
export function diskWords(trouble: DiskTrouble, free: number | null): string {
  const { disk } = t.mainWindow.banners
  return trouble === 'disk-full' ? disk[trouble](free === null ? null : sizeWords(free)) : disk[trouble]
}
