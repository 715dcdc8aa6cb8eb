/** The text at the caret that can be completed. Offsets count in the whole text. */
export type Trigger =
  /** `@`, or `@_` for a mention that does not notify. */
  | { readonly kind: 'mention'; readonly start: number; readonly text: string; readonly isSilent: boolean }
  | { readonly kind: 'channel'; readonly start: number; readonly text: string }
  /** The channel's name; null for the channel that the text is for. */
  | {
      readonly kind: 'topic'
      readonly start: number
      readonly text: string
      readonly channelName: string | null
    }
  | { readonly kind: 'emoji'; readonly start: number; readonly text: string }
  | { readonly kind: 'language'; readonly start: number; readonly text: string }
  /** `/` at the beginning of a line: snippets, and at the beginning of the text also commands. */
  | { readonly kind: 'command'; readonly start: number; readonly text: string; readonly isFirst: boolean }
  | { readonly kind: 'time'; readonly start: number; readonly text: string }

/** A longer text does not name a person or channel. */
const mostTyped = 60

/**
 * The trigger in the text before the caret; null for none. Code has none, because its characters stand for themselves.
 */
export function triggerAt(value: string, caret: number): Trigger | null {
  const before = value.slice(0, caret)
  const lineStart = before.lastIndexOf('\n') + 1
  const line = before.slice(lineStart)

  const fence = /^\s*(?:`{3,}|~{3,})\s*([\w+#.-]+)$/.exec(line)
  if (fence?.[1] !== undefined && !isInFence(before.slice(0, lineStart))) {
    return { kind: 'language', start: caret - fence[1].length, text: fence[1] }
  }
  if (isInCode(value, caret)) return null

  const command = /^\/([\p{L}\p{N}_-]*)$/u.exec(line)
  if (command?.[1] !== undefined)
    return { kind: 'command', start: lineStart, text: command[1], isFirst: lineStart === 0 }

  const time = /<time(:[^>\n]{0,40})?$/.exec(line)
  if (time !== null) return { kind: 'time', start: lineStart + time.index, text: time[1] ?? '' }

  // Topics first, because their names contain spaces and punctuation, and the longest name wins.
  const topic = /#(?:\*\*([^*\n>]+)(?:\*\*)?)?>([^*\n]*)$/.exec(line)
  if (topic?.[2] !== undefined && begins(line, topic.index) && topic[2].length <= mostTyped) {
    return {
      kind: 'topic',
      start: lineStart + topic.index,
      text: topic[2],
      channelName: topic[1] ?? null,
    }
  }
  const mention = /@(_?)(?:\*{1,2})?([^@*\n#:`]*)$/u.exec(line)
  if (mention?.[2] !== undefined && begins(line, mention.index) && isName(mention[2])) {
    return {
      kind: 'mention',
      start: lineStart + mention.index,
      text: mention[2],
      isSilent: mention[1] === '_',
    }
  }
  const channel = /#(?:\*\*)?([^#*\n@:>`]*)$/u.exec(line)
  if (channel?.[1] !== undefined && begins(line, channel.index) && isName(channel[1])) {
    return { kind: 'channel', start: lineStart + channel.index, text: channel[1] }
  }
  // One letter is not enough: ":D" and ":3" are complete faces.
  const emoji = /:([\p{L}\p{N}_+-]{2,})$/u.exec(line)
  if (emoji?.[1] !== undefined && begins(line, emoji.index)) {
    return { kind: 'emoji', start: lineStart + emoji.index, text: emoji[1] }
  }
  return null
}

/** Whether the text at an offset is code, where punctuation stands for itself. */
export function isInCode(value: string, at: number): boolean {
  const before = value.slice(0, at)
  const lineStart = before.lastIndexOf('\n') + 1
  return isInFence(before.slice(0, lineStart)) || isInCodeSpan(before.slice(lineStart))
}

/** Whether a sign at an index can be a trigger: after a space or an opening bracket, not inside a word or address. */
function begins(line: string, index: number): boolean {
  if (/:\/\/\S*$/.test(line.slice(0, index))) return false
  return index === 0 || /[\s([{"'“‘>*_~,;/-]/.test(line.charAt(index - 1))
}

/** Names have few words; "@ five o'clock" is a sentence. */
function isName(text: string): boolean {
  return text.length <= mostTyped && !/^\s/.test(text) && text.split(/\s+/).length <= 4
}

/** Whether the next line is inside a code block. Quotes and spoilers are fences too, but contain Markdown. */
function isInFence(before: string): boolean {
  const open: { mark: string; isCode: boolean }[] = []
  for (const line of before.split('\n')) {
    const [, mark, info = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (mark === undefined) continue
    const last = open.at(-1)
    if (last !== undefined && mark.startsWith(last.mark) && info.trim() === '') open.pop()
    else if (last?.isCode !== true) open.push({ mark, isCode: !/^\s*(quote|spoiler)\b/.test(info) })
  }
  return open.at(-1)?.isCode === true
}

function isInCodeSpan(line: string): boolean {
  return (line.replace(/`{2,}/g, '`').match(/`/g)?.length ?? 0) % 2 === 1
}
