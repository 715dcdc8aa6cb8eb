/** Which of the drafts and waiting messages are listed. */
export const draftTabs = ['all', 'outbox', 'drafts'] as const
export type DraftTab = (typeof draftTabs)[number]
