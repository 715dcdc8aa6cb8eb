/** Whether a window must leave full screen before it is hidden: on macOS, a black screen would stay otherwise. */
export function leavesFullScreenFirst(platform: NodeJS.Platform, isFullScreen: boolean): boolean {
  return platform === 'darwin' && isFullScreen
}
