/**
 * The app's identity on Windows: its notifications, its taskbar entry and its entry for starting with the computer
 * carry it. It equals `appId` in build/electron-builder.yml, which the installer gives the shortcuts.
 */
export const appUserModelId = 'chat.dunlin.Dunlin'

/** The class by which Windows reports that a notification was answered. It must stay the same between starts. */
export const toastActivatorClsid = '{3C8B6F0E-5D0A-4C39-9E57-7A2D1F84B6D3}'
