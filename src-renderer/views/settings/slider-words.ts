import { lineScaleOf, textScaleOf } from '../../state/text-scale.ts'

const percent = (scale: number) => `${Math.round(scale * 100)} %`

/** What a step of a slider means on screen. */
export function sliderWords(name: 'fontSize' | 'lineHeight', value: number): string {
  if (name === 'lineHeight') return `${percent(lineScaleOf(value))} of the ordinary distance`
  const { text, ui } = textScaleOf(value)
  return `Messages at ${percent(text)}, everything around them at ${percent(ui)}`
}
