import type { DiskTrouble } from '../../../src-shared/model/account.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { sizeWords } from '../../sizes.ts'

/** What the banner says of a disk that takes nothing: on a full one also how much is free, where that is known. */
export function diskWords(trouble: DiskTrouble, free: number | null): string {
  const { disk } = t.mainWindow.banners
  return trouble === 'disk-full' ? disk[trouble](free === null ? null : sizeWords(free)) : disk[trouble]
}
