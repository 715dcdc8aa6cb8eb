import { hydrate, mount } from 'svelte'
import '@fontsource-variable/inter/opsz.css'
import '@fontsource-variable/inter/opsz-italic.css'
import '@fontsource-variable/jetbrains-mono'
import '@fontsource/noto-color-emoji/emoji.css'
import 'twemoji-colr-font/twemoji.css'
import './styles/index.css'
import App from './App.svelte'
import { leaveKeysToComposition } from './composition.ts'
import { replayEarlyEvents } from './early-events.ts'
import { connect } from './port.ts'
import { route } from './state/navigation/route.svelte.ts'
import { fetchPage } from './views/pages.ts'
import { speakRemembered } from './state/appearance/language.ts'
import { picturePainted } from './state/reading/picture-painted.ts'

leaveKeysToComposition()
fetchPage(route.current)
const target = document.getElementById('app')
if (target === null) throw new Error('index.html has no #app')
// Not awaited at the top level: a language's texts import code from the file that this is bundled into. Each would wait
// for the other.
const { dataset } = document.documentElement
const hasPicture = target.hasChildNodes() && dataset['elsewhere'] === undefined
void Promise.all([speakRemembered(), hasPicture ? picturePainted() : null]).then(() => {
  const parts = { target, props: { bridge: connect() } }
  // A person who has followed a link meanwhile sees the place where they are.
  if (hasPicture && location.hash === '') hydrate(App, parts)
  else {
    target.replaceChildren()
    mount(App, parts)
  }
  delete dataset['elsewhere']
  replayEarlyEvents()
})
