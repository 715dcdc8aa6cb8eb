/** The rendered content of a `/me` message without the command, which stands for its author's name. */
export const toldHtml = (html: string): string => html.replace(/^<p>\/me\s+/, '<p>')
