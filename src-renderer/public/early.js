// Before the first picture is painted: sets its colours, and checks whether it is what this window will show.
{
  const { dataset } = document.documentElement
  const [theme, language] = ['dunlin-theme', 'dunlin-language'].map((name) => localStorage.getItem(name))
  dataset.theme = theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  if (/^Mac/.test(navigator.platform)) dataset.platform = 'mac'
  const meta = document.querySelector('meta[name="theme-color"]')
  meta.content = meta.dataset[dataset.theme]
  // The picture is that of the whole inbox.
  const { inboxFilter = 'all' } = history.state ?? {}
  const isSpoken = language === null || language === dataset.language
  if (location.hash !== '' || inboxFilter !== 'all' || !isSpoken) dataset.elsewhere = ''
}
// Records what a person presses until the window has started (`early-events.ts`).
{
  const events = []
  const keep = (event) => events.push(event)
  const kinds = ['keydown', 'pointerdown', 'click']
  for (const kind of kinds) addEventListener(kind, keep, true)
  globalThis.takeEarlyEvents = () => {
    for (const kind of kinds) removeEventListener(kind, keep, true)
    return events
  }
}
