import { mount } from 'svelte'
import '@fontsource-variable/inter/opsz.css'
import '@fontsource-variable/inter/opsz-italic.css'
import '@fontsource-variable/jetbrains-mono'
import 'twemoji-colr-font/twemoji.css'
import './styles/tokens.css'
import './styles/components.css'
import './styles/screens.css'
import './styles/overlays.css'
import './styles/settings.css'
import './styles/feed.css'
import './styles/profile.css'
import './styles/direction.css'
import 'katex/dist/katex.min.css'
import App from './App.svelte'
import { connect } from './port.ts'
import { route } from './state/route.svelte.ts'
import { fetchPage } from './views/pages.ts'
import { speakRemembered } from './state/language.ts'

fetchPage(route.current)
const target = document.getElementById('app')
if (target === null) throw new Error('index.html has no #app')
const [bridge] = await Promise.all([connect(), speakRemembered()])
mount(App, { target, props: { bridge } })
