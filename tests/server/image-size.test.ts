import { expect, test } from 'vitest'
import { imageSize } from '../../src-server/files/image-size.ts'

const bytes = (hex: string) => Buffer.from(hex.replace(/\s/g, ''), 'hex')
const text = (latin: string) => Buffer.from(latin, 'latin1')

test('the size of a GIF, and whether it moves', () => {
  const still = Buffer.concat([text('GIF89a'), bytes('4001 f000 80 00 00')])
  expect(imageSize(still)).toEqual({ contentType: 'image/gif', width: 320, height: 240, isAnimated: false })
  expect(imageSize(Buffer.concat([still, text('!\xff\x0bNETSCAPE2.0')]))?.isAnimated).toBe(true)
})

test('a PNG that moves says so before its first picture', () => {
  const head = bytes('89504e470d0a1a0a 0000000d 49484452 00000010 00000008 08 06 00 00 00 00000000')
  const moving = Buffer.concat([head, bytes('00000008'), text('acTL'), bytes('00000002 00000000 00000000')])
  expect(imageSize(moving)).toEqual({ contentType: 'image/png', width: 16, height: 8, isAnimated: true })
})

test('the three kinds of WebP', () => {
  const webp = (kind: string, rest: string) =>
    Buffer.concat([text('RIFF\0\0\0\0WEBP'), text(kind), bytes(rest), Buffer.alloc(30)])
  expect(imageSize(webp('VP8X', '0a000000 02000000 7f0200 df0100'))).toMatchObject({
    width: 640,
    height: 480,
    isAnimated: true,
  })
  expect(imageSize(webp('VP8 ', '00000000 000000 9d012a 8002 e001'))).toMatchObject({
    width: 640,
    height: 480,
  })
  expect(imageSize(webp('VP8L', '00000000 2f 7fc27700'))).toMatchObject({ width: 640, height: 480 })
})

test('a JPEG is found behind its other segments, and turned when the camera was', () => {
  const frame = bytes('ffc0 0011 08 01e0 0280 03 012200 021101 031101')
  const exif = (orientation: string) =>
    Buffer.concat([
      bytes('ffe1 0022'),
      text('Exif\0\0MM\0*'),
      bytes('00000008 0001 0112 0003 00000001'),
      bytes(`00${orientation}0000 00000000`),
    ])
  expect(imageSize(Buffer.concat([bytes('ffd8 ffe0 0004 0000'), frame]))).toMatchObject({
    contentType: 'image/jpeg',
    width: 640,
    height: 480,
  })
  expect(imageSize(Buffer.concat([bytes('ffd8'), exif('06'), frame]))).toMatchObject({
    width: 480,
    height: 640,
  })
  expect(imageSize(Buffer.concat([bytes('ffd8'), exif('01'), frame]))).toMatchObject({
    width: 640,
    height: 480,
  })
})

test('whatever else there is, cut off anywhere, is no picture and no error', () => {
  expect(imageSize(text('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBeUndefined()
  for (const start of [
    '89504e470d0a1a0a',
    'ffd8ffe1ffff45786966000049492a0008000000ffff',
    '524946460000000057454250',
  ]) {
    const whole = Buffer.concat([bytes(start), Buffer.alloc(40, 0xff)])
    for (let length = 0; length <= whole.length; length++)
      expect(() => imageSize(whole.subarray(0, length))).not.toThrow()
  }
})
