import type { FastifyReply, FastifyRequest } from 'fastify'

const hues = [188, 212, 16, 44, 96, 142, 262, 300, 330, 64]

/** A drawn picture for people and for the organization: shapes that follow from the id alone. */
export function picture(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The route takes at most this one field.
  const { id } = request.params as { id?: string }
  const number = Number(id ?? 7) || 0
  const hue = hues[number % hues.length] ?? 200
  const sun = (number * 37) % 60
  const wave = 58 + ((number * 13) % 14)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">
<rect width="100" height="100" fill="hsl(${hue} 42% 82%)"/>
<circle cx="${20 + sun}" cy="${28 + (number % 3) * 8}" r="${11 + (number % 4) * 2}" fill="hsl(${(hue + 170) % 360} 62% 58%)"/>
<path d="M0 ${wave} Q25 ${wave - 14} 50 ${wave} T100 ${wave} V100 H0Z" fill="hsl(${hue} 45% 46%)"/>
<path d="M0 ${wave + 16} Q25 ${wave + 4} 50 ${wave + 16} T100 ${wave + 16} V100 H0Z" fill="hsl(${hue} 52% 30%)"/>
</svg>`
  return reply
    .header('content-type', 'image/svg+xml')
    .header('cache-control', 'private, max-age=86400')
    .send(svg)
}
