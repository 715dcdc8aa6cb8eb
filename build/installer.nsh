; Included by electron-builder in the installer for Windows.

; What the app wrote to the registry itself: its link handler, its entry for starting with the computer, and the
; activator of its notifications (src-main/shell/identity.ts). An update keeps them.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegKey HKCU "Software\Classes\dunlin"
    DeleteRegKey HKCU "Software\Classes\CLSID\{3C8B6F0E-5D0A-4C39-9E57-7A2D1F84B6D3}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
  ${endIf}
!macroend
