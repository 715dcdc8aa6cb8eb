import { createRequire } from 'node:module'
import type { FormFile } from '../files/forms.ts'
import { seeded } from './chance.ts'

const waterHeight = (hours: number) =>
  // Twice a day, every other time a little higher.
  1.9 + 1.4 * Math.cos((hours / 12.42) * 2 * Math.PI) + 0.25 * Math.cos((hours / 24.84) * 2 * Math.PI)

/** The logger's error in metres: none for four days, then growing every day. */
const drift = (hours: number) => Math.max(0, hours - 96) * 0.00085

const week = 7 * 24
const hoursOf = (step: number) => Array.from({ length: week / step + 1 }, (_, index) => index * step)

/** The readings of the staff board and the logger, every half hour of a week, with the noise of both. */
function readings() {
  const random = seeded(4)
  const noise = () => (random() + random() - 1) * 0.012
  return hoursOf(0.5).map((hours) => {
    const board = waterHeight(hours) + noise()
    return { hours, board, logger: board + drift(hours) + noise() }
  })
}

function weekTable(): Buffer {
  const lines = readings().map(({ hours, board, logger }) => {
    const time = `${String(Math.floor(hours % 24)).padStart(2, '0')}:${hours % 1 === 0 ? '00' : '30'}`
    return `${Math.floor(hours / 24) + 1},${time},${board.toFixed(3)},${logger.toFixed(3)}`
  })
  return Buffer.from(`day,time,board_m,logger_m\n${lines.join('\n')}\n`)
}

/** Logger minus board over the week: the points, and their trend in another colour. */
function driftChart(): string {
  const [width, height, inset] = [1_400, 700, 60]
  const x = (hours: number) => inset + (hours / week) * (width - 2 * inset)
  const y = (metres: number) => height - inset - ((metres + 0.03) / 0.13) * (height - 2 * inset)
  const all = readings()
  const days = hoursOf(24).map(
    (hours) => `<path d="M${x(hours)} ${inset}V${height - inset}" stroke="#dfe7ea" stroke-width="2"/>`,
  )
  const levels = [0, 0.02, 0.04, 0.06, 0.08].map(
    (metres) =>
      `<path d="M${inset} ${y(metres)}H${width - inset}" stroke="${metres === 0 ? '#7d9099' : '#dfe7ea'}" stroke-width="2"/>`,
  )
  const points = all.map(
    ({ hours, board, logger }) =>
      `<circle cx="${x(hours).toFixed(1)}" cy="${y(logger - board).toFixed(1)}" r="3.2" fill="#1d6f8a" opacity=".45"/>`,
  )
  const run = hoursOf(6).map((hours) => `${x(hours).toFixed(1)} ${y(drift(hours)).toFixed(1)}`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#fbfdfd"/>${days.join('')}${levels.join('')}${points.join('')}
    <polyline points="${run.join(' ')}" fill="none" stroke="#d9641e" stroke-width="7" stroke-linejoin="round"/></svg>`
}

/** The gauge on its pile from the boat, with a drop below the lower clamp. */
function clampView(): string {
  const clamp = (y: number) =>
    `<rect x="628" y="${y}" width="344" height="46" rx="10" fill="#5b6a70"/><rect x="628" y="${y}" width="344" height="14" rx="7" fill="#8fa0a6"/><circle cx="660" cy="${y + 23}" r="11" fill="#2c363a"/><circle cx="940" cy="${y + 23}" r="11" fill="#2c363a"/>`
  const wave = (y: number, colour: string) =>
    `<path d="M0 ${y}q50-26 100 0${'t100 0'.repeat(16)}V1200H0z" fill="${colour}"/>`
  const marks = Array.from(
    { length: 12 },
    (_, index) =>
      `<rect x="1120" y="${190 + index * 70}" width="${index % 2 === 0 ? 90 : 60}" height="35" fill="#b3372b"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200">
    <defs>
      <linearGradient id="sky" x2="0" y2="1"><stop offset="0" stop-color="#b9cfd8"/><stop offset="1" stop-color="#f0dcc4"/></linearGradient>
      <linearGradient id="pile"><stop offset="0" stop-color="#7b7468"/><stop offset=".45" stop-color="#a79e8e"/><stop offset="1" stop-color="#5f594f"/></linearGradient>
      <linearGradient id="tube"><stop offset="0" stop-color="#dfe5e6"/><stop offset=".35" stop-color="#ffffff"/><stop offset="1" stop-color="#a8b4b8"/></linearGradient>
    </defs>
    <rect width="1600" height="1200" fill="url(#sky)"/>
    <path d="M0 640l180-60 190 44 240-90 260 70 300-104 430 120v580H0z" fill="#6f8a86"/>
    ${wave(700, '#4b7683')}${wave(780, '#3d6775')}
    <rect x="560" width="480" height="1200" fill="url(#pile)"/>
    <path d="M560 820h480v380H560z" fill="#2f3f35" opacity=".55"/>
    <rect x="1100" y="150" width="130" height="900" fill="#f4f1e8"/>${marks.join('')}
    <rect x="690" y="120" width="220" height="900" rx="28" fill="url(#tube)"/>
    <rect x="700" y="80" width="200" height="90" rx="22" fill="#33424a"/>
    ${clamp(330)}${clamp(700)}
    <path d="M770 746q-22 46 0 60q22 14 34-8q8-18-34-52z" fill="#bfe3ee" stroke="#8fc3d3" stroke-width="3"/>
    <path d="M772 860q-14 30 0 39q15 9 22-5q5-12-22-34z" fill="#bfe3ee" opacity=".8"/>
    ${wave(980, '#2e5867')}${wave(1070, '#244957')}</svg>`
}

const samplesPerSecond = 16_000

/** Two seconds of a dunlin's flight call: a rasping trill that falls, twice. A WAV file, 16 bits, one channel. */
function trill(): Buffer {
  const calls = [
    { start: 0.15, length: 0.55 },
    { start: 1.05, length: 0.7 },
  ]
  const random = seeded(7)
  const samples = Int16Array.from({ length: 2 * samplesPerSecond }, (_, index) => {
    const time = index / samplesPerSecond
    const hiss = (random() - 0.5) * 0.01
    const call = calls.find(({ start, length }) => time >= start && time < start + length)
    if (call === undefined) return hiss * 32_767
    const progress = (time - call.start) / call.length
    // A falling tone, the integral of its frequency, chopped thirty times a second.
    const phase = 2 * Math.PI * call.length * (3_500 * progress - 350 * progress ** 2)
    const chopped = 0.55 + 0.45 * Math.sin(2 * Math.PI * 30 * (time - call.start))
    return (Math.sin(phase) * chopped * Math.sin(Math.PI * progress) * 0.5 + hiss) * 32_767
  })
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.byteLength, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(samplesPerSecond, 24)
  header.writeUInt32LE(samplesPerSecond * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([header, Buffer.from(samples.buffer)])
}

/** The part of the library that is used here. */
interface Picture {
  png(): Picture
  jpeg(wanted: { quality: number }): Picture
  toBuffer(): Promise<Buffer>
}

/** Draws an SVG. The library is loaded with the first picture. */
function draw(svg: string): Picture {
  // The package's own type declarations are wider.
  const sharp = createRequire(import.meta.url)('sharp') as (source: Buffer) => Picture
  return sharp(Buffer.from(svg))
}

const makers: Readonly<Record<string, () => Promise<FormFile>>> = {
  clamp: async () => ({
    name: 'gauge-4-seaward-clamp.jpg',
    contentType: 'image/jpeg',
    bytes: await draw(clampView()).jpeg({ quality: 86 }).toBuffer(),
  }),
  drift: async () => ({
    name: 'gauge-4-drift.png',
    contentType: 'image/png',
    bytes: await draw(driftChart()).png().toBuffer(),
  }),
  trill: async () => ({ name: 'dunlin-over-the-hide.wav', contentType: 'audio/wav', bytes: trill() }),
  week: async () => ({ name: 'gauge-4-week.csv', contentType: 'text/csv', bytes: weekTable() }),
}

/** A custom emoji as a file. Rejects where pictures cannot be drawn. */
export const emojiFile = async (name: string, svg: string): Promise<FormFile> => ({
  name: `${name}.png`,
  contentType: 'image/png',
  bytes: await draw(svg).png().toBuffer(),
})

const fileMark = /\(demo:(\w+)\)/g

/**
 * Replaces links such as `[words](demo:clamp)` by links to that file, which `upload` stores and returns the address
 * of.
 * Rejects if the file does not exist, or if pictures cannot be drawn.
 */
export async function withFiles(text: string, upload: (file: FormFile) => Promise<string>): Promise<string> {
  const addresses = new Map<string, string>()
  for (const [mark, name = ''] of text.matchAll(fileMark)) {
    const make = makers[name]
    if (make === undefined) throw new Error(`no file of the demo is called ${name}`)
    addresses.set(mark, await upload(await make()))
  }
  return text.replaceAll(fileMark, (mark) => `(${addresses.get(mark) ?? ''})`)
}
