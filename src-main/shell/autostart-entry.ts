/**
 * The file with which a Linux desktop starts the app with the person's session: in the tray, without a window.
 * `program` is the path of the program.
 */
export function autostartEntry(program: string): string {
  // Quoted as the Desktop Entry form asks for: these four have a meaning inside quotes, and % has one everywhere.
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
