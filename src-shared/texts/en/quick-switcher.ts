export const quickSwitcher = {}
