import type { FastifyReply, FastifyRequest } from 'fastify'
import { daySeconds } from '../../src-shared/durations.ts'

/** The colours of a picture: background, foreground, and small details. */
type Palette = readonly [ground: string, form: string, mark: string]

const palettes: readonly Palette[] = [
  ['#1d4d69', '#f3a35c', '#0f2f40'],
  ['#cfe0e8', '#4b7088', '#fdfdfb'],
  ['#dde7d8', '#8d4d30', '#c4603c'],
  ['#f1e4cc', '#5a7f46', '#3f6131'],
  ['#6a587a', '#efe4d8', '#33273d'],
  ['#163a3f', '#7cc4ae', '#f1d49c'],
  ['#f0b349', '#c8512e', '#7c2d18'],
  ['#f6d3d6', '#c03d56', '#f4bb3f'],
  ['#17233f', '#59c0a0', '#c9563d'],
  ['#dcd7ef', '#5f56a8', '#f0b349'],
]

/** Motifs of a seashore on a 40 by 40 grid, each in three colours. */
const motifs: readonly ((form: string, mark: string) => string)[] = [
  // A fish.
  (form, mark) =>
    `<path d="M7 20q11-13 22 0q-11 13-22 0zM27 20l8-6v12z" fill="${form}"/><circle cx="14" cy="18" r="1.8" fill="${mark}"/>`,
  // Two peaks, the higher one with snow.
  (form, mark) =>
    `<path d="M0 40l13-26 8 14 5-7 14 19z" fill="${form}"/><path d="M13 14l5 9-3-1-2 2-2-2-3 1z" fill="${mark}"/>`,
  // A boat.
  (form, mark) =>
    `<path d="M7 27h26l-5 7H12z" fill="${form}"/><path d="M19 7v18H8z" fill="${mark}"/><path d="M21.5 10v15h9z" fill="${form}"/>`,
  // A plant.
  (form, mark) =>
    `<path d="M20 38V16" stroke="${mark}" stroke-width="2.2"/><path d="M20 25Q8 25 8 12q12 1 12 13z" fill="${form}"/><path d="M20 20q0-12 12-12q0 12-12 12z" fill="${mark}"/>`,
  // Rings on the water.
  (form, mark) =>
    `<g fill="none" stroke="${form}" stroke-width="3"><circle cx="20" cy="23" r="14"/><circle cx="20" cy="23" r="8.5"/></g><circle cx="20" cy="23" r="3.5" fill="${mark}"/>`,
  // The sun.
  (form, mark) =>
    `<circle cx="20" cy="20" r="7.5" fill="${form}"/><circle cx="20" cy="20" r="13" fill="none" stroke="${mark}" stroke-width="4" stroke-dasharray="2.4 5.77"/>`,
  // A flower.
  (form, mark) =>
    `${[0, 72, 144, 216, 288].map((turn) => `<ellipse cx="20" cy="11.5" rx="5" ry="7" fill="${form}" transform="rotate(${turn} 20 20)"/>`).join('')}<circle cx="20" cy="20" r="4" fill="${mark}"/>`,
  // A hut at night.
  (form, mark) =>
    `<circle cx="31" cy="9" r="4" fill="${form}"/><path d="M8 36V24l12-9 12 9v12z" fill="${mark}"/><path d="M17 36v-8h6v8z" fill="${form}"/>`,
  // A wader.
  (form, mark) =>
    `<path d="M6 22q10-12 20-5q8-1 10 3q-7-1-9 3q-5 7-13 5l-9 2q5-3 1-8z" fill="${form}"/><path d="M17 29v8M22 28v9" stroke="${mark}" stroke-width="1.6"/><circle cx="29" cy="18.5" r="1.2" fill="${mark}"/>`,
  // Waves below a low sun.
  (form, mark) =>
    `<circle cx="26" cy="14" r="6" fill="${mark}"/><path d="M0 24q5-5 10 0t10 0 10 0 10 0v16H0z" fill="${form}"/><path d="M0 32q5-4 10 0t10 0 10 0 10 0" fill="none" stroke="${mark}" stroke-width="1.8"/>`,
  // A lighthouse.
  (form, mark) =>
    `<path d="M16 12h8l3 26H13z" fill="${form}"/><path d="M15 20h10l.6 5H14.4z" fill="${mark}"/><path d="M15 7h10v5H15z" fill="${mark}"/><path d="M25 9l12-3v7zM15 9L3 6v7z" fill="${form}" opacity=".5"/>`,
]

/** A drawn picture for people and for the organization, determined by the id alone. */
export function picture(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The route takes at most this one field.
  const { id } = request.params as { id?: string }
  const number = Math.abs(Math.trunc(Number(id ?? 9)) || 0)
  const [ground, form, mark] = palettes[number % palettes.length] ?? ['#cfe0e8', '#4b7088', '#fdfdfb']
  const motif = motifs[(number * 3) % motifs.length]?.(form, mark) ?? ''
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="${ground}"/>${motif}</svg>`
  return reply
    .header('content-type', 'image/svg+xml')
    .header('cache-control', `private, max-age=${daySeconds}`)
    .send(svg)
}
