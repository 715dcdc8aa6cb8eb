import { lineScaleOf, textScaleOf } from '../../state/appearance/text-scale.ts'
import { t } from '../../../src-shared/texts/texts.ts'

const percent = (scale: number) => t.settings.percent(Math.round(scale * 100))

/** The meaning of a slider's step on screen. */
export function sliderWords(name: 'fontSize' | 'lineHeight', value: number): string {
  if (name === 'lineHeight') return t.settings.lineDistance(percent(lineScaleOf(value)))
  const { text, ui } = textScaleOf(value)
  return t.settings.textSizes(percent(text), percent(ui))
}
