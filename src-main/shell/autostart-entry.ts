/**
 * The file with which a Linux desktop starts the app at login: in the tray, without a window. `program` is the path of
 * the program.
 */
export function autostartEntry(program: string): string {
  // Quoted as the Desktop Entry specification requires: these four are special inside quotes, and % is everywhere.
  const quoted = `"${program.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Dunlin',
    `Exec=${quoted} --hidden`,
    'Terminal=false',
    '',
  ].join('\n')
}
