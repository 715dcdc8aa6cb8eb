export const serverAbilities = {}
