export const mainWindow = {}
