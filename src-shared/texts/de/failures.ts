import type { failures as en } from '../en/failures.ts'

export const failures: typeof en = {
  notSavedYet: (reason) =>
    `Noch nicht auf diesem Gerät gesichert: Der Text steht noch hier, und das Sichern wird wiederholt. ${reason}`,
  notQueued: (reason) => `Nicht im Postausgang, der Text steht noch hier. ${reason}`,
}
