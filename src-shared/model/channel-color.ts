import type { ChannelColor } from './message.ts'

/** The wire value for each of the design's channel colours: the one that reads well on a light background. */
export const channelColorValues: Readonly<Record<ChannelColor, string>> = {
  tide: '#067489',
  sky: '#2a6fa5',
  iris: '#5d60a8',
  heather: '#825594',
  plum: '#964c78',
  coral: '#a04d50',
  rufous: '#9c5330',
  sand: '#8a5d08',
  lichen: '#716a0a',
  moss: '#4b7631',
  fern: '#20784c',
  slate: '#596d79',
}

// The keys of the table above, at least one.
export const channelColors = Object.keys(channelColorValues) as [ChannelColor, ...ChannelColor[]]
