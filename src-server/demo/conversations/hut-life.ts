import type { Thread } from './thread.ts'

export const hutLife: readonly Thread[] = [
  {
    in: ['kitchen', 'shopping for Saturday'],
    ends: '52m',
    unread: 2,
    script: String.raw`
@yusuf: Saturday, nine people, two of them teenagers. I cook. What can nobody eat?
@beatriz 14: No fish for me. I only *count* things from the sea.
@mika 8: I’m vegetarian, but I bring my own, no trouble!
@yusuf 3: Nobody brings their own in my kitchen. Then it’s lentils for all, and they will be **spectacular**.
^^ heart mika beatriz ines
^^ stew maren hanne
@nils 40: From the shelf: rice yes, lentils 1 kg, onions many, salt enough for a seal.
@maren 20: List so far, I’m at the harbour before the van leaves:

| what | where | how much |
|---|---|---:|
| Red lentils | Ness stores | 2 kg |
| Oats | Ness stores | 2 kg |
| Lamp oil | Harbour | 5 l |
| The good coffee | Harbour | 4 bags |
| Lemons | anywhere | 10 |
^^ thumbs_up yusuf nils
@ines 12: Is “the good coffee” the one with the ship or the one with the bird?
@nils 2: The bird.
@tomasz 1: The ship.
@yusuf 1: /poll Which one is the good coffee?
The ship
The bird
Tea
^^ vote tomasz 0
^^ vote nils 1
^^ vote beatriz 1
^^ vote ines 1
^^ vote odhran 2
^^ vote hanne 0
@beatriz 55: Cumin! Is there cumin? Spectacular lentils need cumin.
@yusuf 6: @**Maren Aske** cumin, please. And a lemon more than you think.
`,
  },
  {
    in: ['kitchen', 'bread'],
    ends: '1d 7:30',
    script: String.raw`
@nils: The sourdough is called Gunnar. Gunnar eats twice a week. Last week nobody fed Gunnar.
^^ sob beatriz yusuf mika
@hanne 18: I was on the flats. Is he dead?
@nils 6: He’s *disappointed*.
^^ joy hanne beatriz maren odhran ines
@beatriz 30: How do you feed him? I’m there until Sunday.
@nils 9: Like this:

1. Throw away half (pancakes, don’t throw it away)
2. 50 g flour, 50 g water, stir
3. Cloth on top, shelf above the stove, **not** on the stove
@beatriz 1d: Fed Gunnar. He doubled. I am so proud.
^^ tada nils hanne yusuf
^^ bread maren solveig
@odhran 20: Best bread on the coast. Please never tell my mother.
`,
  },
  {
    in: ['kitchen', 'who took the big pot'],
    ends: '3d 18:20',
    script: String.raw`
@yusuf: The big pot is gone. I ask in general, and I look at the lab.
@ines 9: It has… sediment in it.
@yusuf 1: …
@yusuf 1: INES
^^ joy maren beatriz hanne odhran nils tomasz solveig
@ines 4: I bought you a bigger one! It arrives on Monday. This one is now officially a sieve pot, it has a label.
@yusuf 3: How much bigger?
@ines 1: 20 litres.
@yusuf 1: You’re forgiven, and you’re invited.
^^ heart ines beatriz
`,
  },
  {
    in: ['hut-repairs', 'stove pipe'],
    ends: '6h',
    script: String.raw`
@nils: The stove pulls badly, smoke comes in when the wind is west. I looked from the roof: the cap is loose, and \
something built a nest on it.
@beatriz 8: Is the nest empty??
@nils 3: Old and empty. Jackdaw, I think, there was a bicycle bell in it.
^^ joy yusuf beatriz maren hanne
^^ bell odhran
@tomasz 25: Before anybody lights it again: is the carbon monoxide alarm working? Press the button, it must scream.
@nils 12: It screamed. So did I.
@yusuf 50: I have 1 m of 125 mm pipe, and flue cement. Ladder?
@hanne 9: Ladder is at the hide, I’ll bring it Wednesday. Nobody goes up alone and nobody goes up wet.
@nils 1d: New cap on. It draws so well now that the matches lean in.
^^ fire yusuf hanne
^^ tada maren tomasz beatriz
`,
  },
  {
    in: ['hut-repairs', 'the door'],
    ends: '2h',
    unread: 1,
    script: String.raw`
@beatriz: The door is stuck again. I am inside. This is not a joke, I’m just asking for ideas.
^^ joy yusuf
^^ open_mouth maren nils
@hanne 2: Lift the handle, shoulder at the height of the hinge, once, hard.
@beatriz 4: I’m outside now! And so is the handle.
^^ joy hanne maren yusuf nils tomasz odhran
@nils 20: It swells in the wet. I plane off 2 mm each autumn, and each autumn it grows 3.
@tomasz 15: Then it’s the frame, not the door. Measure the two diagonals, when they differ by more than 5 mm the hut \
leans.
@nils 1d: 1,987 and 2,004 mm.
@tomasz 3: The hut leans.
@yusuf 6: After that party I would lean too.
^^ joy beatriz odhran hanne
@odhran 40: Jack under the south-east corner, one plank, an afternoon. I did the same with the boathouse.
@nils 1h: @**Maren Aske** may we spend 90 on a jack and two oak planks? It would be the last time I write about this door.
`,
  },
  {
    in: ['hut-repairs', '✔ roof felt'],
    ends: '10d 13:00',
    script: String.raw`
@nils: Roof felt on the north side lifts at the edge. Not leaking yet, but listen to it in the wind.
@hanne 40: Field day? Six people, one morning.
@maren 10: Yes. It goes on the list for field day 11.
@nils 4d: Done in three hours. Nobody fell off, Yusuf made soup, Tomasz hit his thumb **once**.
^^ tada hanne maren beatriz
@tomasz 7: It was a very big once.
^^ joy nils yusuf odhran
`,
  },
  {
    in: ['stores', 'gas bottle'],
    ends: '3h',
    unread: 1,
    script: String.raw`
@yusuf: Is there gas? I started soup on the big ring and finished it on hope.
@nils 15: Two bottles, a blue and a grey. Which one is connected?
@yusuf 2: Blue.
@nils 6: The blue one is empty. The spare is behind the skis.
@yusuf 4: *Everything* is behind the skis. Why do we have skis?
@hanne 3: Winter of ’21.
@nils 1: We don’t talk about the winter of ’21.
^^ joy yusuf maren beatriz odhran
@maren 1h: I can bring a new bottle with the van. Same size?
@nils 20: 11 kg, the green valve, not the one that looks just like it. Take the empty one along, there’s a deposit.
`,
  },
  {
    in: ['stores', 'long cable ties'],
    ends: '80m',
    script: String.raw`
@ines: Do we have any of the long cable ties left in the hut? The 50 cm ones.
@nils 9: 14. After that only the short ones, which you can chain.
@hanne 4: Chained ties hold until you turn your back.
@ines 2: I take six for gauge 4, and write it on the list. See, Nils? On the **list**.
^^ clap nils
@tomasz 30: Ordered 200 black ones, the white ones turn to biscuits in the sun.
^^ thumbs_up nils hanne ines odhran
`,
  },
  {
    in: ['stores', 'what is in the blue box'],
    ends: '4d 11:10',
    script: String.raw`
@beatriz: Opened the blue box under the bench. Inventory, for whoever loved it once:

- 3 tent pegs
- a sextant (!!)
- 41 cork stoppers
- one left glove
  - someone else has the right one
  - I have questions
- a note: “do not open the blue box”
^^ joy yusuf hanne maren ines odhran nils
^^ compass odhran tomasz
@odhran 20: The sextant is mine. I’ve looked for it since 2016.
@nils 5: It was on the list. Under “blue box”.
^^ joy beatriz hanne yusuf odhran
`,
  },
  {
    in: ['new-arrivals', 'hello from Mika'],
    ends: '5h',
    script: String.raw`
@mika: Hi everyone! I’m Mika, a student from Turku, here for the season. I’ll mostly sieve mud and compare sensors. I \
have never been on a coast with real tides before.
^^ wave maren keiko hanne beatriz yusuf solveig ines odhran
@keiko 12: Welcome! Your desk is next to the window, your locker is number 7, your boots are drying by the stove.
@hanne 9: First thing to read: #**north-flats>soft ground at 17**. I mean it.
@mika 30: Read it. Twice. “If the worms don’t trust it, you don’t either.”
^^ 100 hanne maren
@beatriz 15: And come to a roost count, even if you can’t tell a dunlin from a knot. Nobody could, at first.
@mika 4: What *is* the difference?
@solveig 7: A knot looks like it paid for its ticket. A dunlin looks like it’s late.
^^ joy beatriz amaru maren lucian mika
@aroha 8h: Welcome from the other side of the planet, where your spring is autumn and the moon hangs upside down.
^^ crescent_moon mika keiko
@mika 40: Thank you all!! One question: who is Gunnar?
^^ joy nils beatriz hanne yusuf
`,
  },
  {
    in: ['new-arrivals', 'how do I …'],
    ends: '1d 10:50',
    script: String.raw`
@ravi: How do I get a topic out of my sight without leaving the channel?
@maren 6: Mute it, from the menu of the topic. It stays readable, it just stops waving at you.
@ravi 2h: And how do you all write those times that know where I am?
@keiko 11: Type \`<time\` and choose. For you the next staff call is <time:mon 09:00>, whatever your clock says.
@ravi 3: Magic.
@mika 5h: How do I write subscripts? I need H₂S, and the mud agrees.
@ines 4: Either like you just did, or as a formula: two dollar signs, \`$$H_2S$$\`, gives $$H_2S$$.
^^ pray mika
@amaru 40: how do i make a list of who’s coming where people tick themselves
@maren 7: \`/poll Question\` and each answer on a line of its own. For tasks it’s \`/todo\`.
@odhran 20: How do I make Yusuf stop?
@yusuf 1: You don’t.
^^ joy maren ines amaru hanne beatriz
`,
  },
  {
    in: ['new-arrivals', 'how we write here'],
    ends: '6d 13:25',
    script: String.raw`
@keiko: # How we write here
Nobody has to. But a log that reads well has saved us two weeks of work, twice.

## One matter, one topic
If your message begins with “by the way”, it belongs somewhere else. Move it, nobody minds.

### Names of topics
1. What it is about: *gauge 4 offset drift*
2. not how you feel about it: ~~help!!~~
3. and ***never*** “question”.

---

## Numbers
* always with a unit
  * and the unit of the *instrument*, not the one you like better
* always with a time, best one that everybody sees in their own zone
* \`−999\` is not a number

## When you are not sure
Say so. “About 300, fog” is worth more than “312”.
^^ heart maren hanne solveig priya
^^ 100 lucian
@priya 25: Can this be the first thing that a newcomer reads?
@keiko 8: It is in the welcome letter now. The long version with pictures is https://handbook.skerry.example/writing, \
remarks to handbook@skerry.example please.
@ravi 3h: “−999 is not a number” made me laugh and then look at my import.
^^ joy priya keiko tomasz
^^ eyes lucian
@keiko 10: @**topic** thank you for the remarks. Two I took, one I am still thinking about: whether a photo needs a \
sentence. I believe it does.
@odhran 30: It does. I’ve forty photos of mud and no idea which mud.
^^ joy hanne beatriz
`,
  },
  {
    in: ['old-survey-2019', 'datum 2019'],
    ends: '09-14 11:30',
    script: String.raw`
@keiko: For whoever reads this in ten years: heights of the first survey refer to the bench mark at Ness church, \
levelled in June 2019, and to nothing else.
@tomasz 20: The bolt in the wall, 1.2 m left of the door. Not the one with the paint, that one is for flags.
@odhran 1h: I have hung a bicycle on the one with the paint, for years.
@lucian 1d: Sum of the loop:
$$\sum_{i=1}^{9} \Delta h_i = -3.1\ \text{mm}$$
over 6.4 km. Good enough for mud.
^^ thumbs_up keiko tomasz
@keiko 30: This channel is closed now. New heights go to the present gauges.
`,
  },
]
