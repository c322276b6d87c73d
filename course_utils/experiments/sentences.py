"""Sentences written for this course: nine words of two senses each, and the same word twice in one sentence.

A sense has six sentences of its own (108 in all). In ``TWICE`` one sentence uses the word in both senses, so that
the rest of the sentence is the same for both occurrences. In ``MISLEADING`` the words nearby belong to the other sense.
"""

import re

SENSES = {
    "apple": {
        "fruit": (
            "I ate an apple after lunch.",
            "She peeled the apple and cut it into slices.",
            "The apple fell from the tree in the orchard.",
            "He baked a pie with one sweet apple and cinnamon.",
            "A ripe red apple lay in the bowl with the pears.",
            "The horse took the apple from my hand and chewed it.",
        ),
        "company": (
            "Apple released a new iPhone.",
            "The shares of Apple rose after the earnings report.",
            "She works as an engineer at Apple in California.",
            "Apple announced a faster laptop on Tuesday.",
            "The judge ruled that Apple must change its store policy.",
            "Investors expect Apple to sell more phones this year.",
        ),
    },
    "bank": {
        "money": (
            "The bank approved my mortgage last week.",
            "She deposited her wages at the bank.",
            "The central bank raised interest rates again.",
            "He owes the bank a great deal of money.",
            "Robbers stole cash from the bank on Main Street.",
            "My bank charges a fee for every transfer.",
        ),
        "river": (
            "We sat on the bank and watched the river flow.",
            "The boat drifted toward the muddy bank of the stream.",
            "Willow trees grow along the bank of the creek.",
            "A heron stood on the bank hunting for fish.",
            "The flood water rose over the bank and into the field.",
            "They pulled the canoe up on the grassy bank.",
        ),
    },
    "bat": {
        "animal": (
            "A bat flew out of the cave at dusk.",
            "The bat hangs upside down and sleeps all day.",
            "The bat uses echoes to hunt insects at night.",
            "A tiny brown bat was found in the attic with its pup.",
            "The fruit bat spread its wings and left the tree.",
            "Scientists studied how the bat navigates in darkness.",
        ),
        "sport": (
            "He swung the bat and hit the ball over the fence.",
            "The batter broke his bat on the first pitch.",
            "She bought a new wooden bat for the baseball season.",
            "The cricketer raised his bat after scoring a century.",
            "Grip the bat firmly and keep your eye on the ball.",
            "The umpire checked the bat before the game.",
        ),
    },
    "spring": {
        "season": (
            "The flowers bloom in spring when the snow melts.",
            "We planted tomatoes last spring in the garden.",
            "The birds return every spring after the long winter.",
            "In spring the days become longer and warmer.",
            "The school term begins in spring and ends in summer.",
            "Heavy rain is common here in early spring.",
        ),
        "coil": (
            "The metal spring in the mattress is broken.",
            "Compress the spring and then release the lever.",
            "A steel spring pushes the valve back into place.",
            "The clock stopped because its spring had snapped.",
            "The stiffness of a spring determines how far it stretches.",
            "He replaced the rusty spring in the car suspension.",
        ),
    },
    "mouse": {
        "animal": (
            "The cat chased a mouse across the kitchen.",
            "A mouse ate the cheese in the pantry.",
            "The owl caught a small mouse in the field.",
            "A gray mouse hid in a hole in the wall.",
            "The mouse gave birth to six pups in the nest.",
            "She screamed when a mouse ran over her foot.",
        ),
        "device": (
            "Click the left button of the mouse to open the file.",
            "My laptop came with a wireless mouse and keyboard.",
            "Move the mouse until the cursor reaches the icon.",
            "The mouse stopped working after the driver update.",
            "He plugged the mouse into the usb port.",
            "Drag the window with the mouse to resize it.",
        ),
    },
    "crane": {
        "bird": (
            "A white crane waded through the marsh.",
            "The crane spread its long wings and flew south.",
            "We saw a crane catch a frog in the wetland.",
            "The crane danced to attract its mate.",
            "The crane laid two eggs in a nest of reeds.",
            "A wounded crane was treated by the wildlife vet.",
        ),
        "machine": (
            "The crane lifted steel beams onto the roof.",
            "Workers used a crane to unload the cargo ship.",
            "The crane collapsed at the construction site.",
            "The operator lowered the hook of the crane.",
            "A tall crane stands beside the unfinished tower.",
            "They rented a crane to move the heavy generator.",
        ),
    },
    "python": {
        "snake": (
            "The python swallowed a rabbit whole.",
            "A python was found in the swamp coiled around a branch.",
            "The zoo keeper fed the python a rat.",
            "The python shed its skin in the terrarium.",
            "A huge python crossed the road in Florida.",
            "The python squeezed its prey until it stopped breathing.",
        ),
        "code": (
            "I wrote a python script to rename the files.",
            "She learned python before she learned java.",
            "The course teaches data analysis with python.",
            "Install the python package and import the module.",
            "This function is slow in python but fast in c.",
            "Our web server is written in python.",
        ),
    },
    "seal": {
        "animal": (
            "A seal dived under the ice to catch fish.",
            "The seal barked and slid off the rock into the sea.",
            "The polar bear hunted a seal near the shore.",
            "A baby seal lay on the beach beside its mother.",
            "The seal balanced a ball on its nose at the zoo.",
            "The fishermen saw a seal swimming near the boat.",
        ),
        "closure": (
            "The letter was closed with a wax seal.",
            "Check that the rubber seal on the door is tight.",
            "The king pressed his seal onto the document.",
            "Oil leaked because the seal in the engine was worn.",
            "Do not use the medicine if the seal is broken.",
            "The bottle has a plastic seal under the cap.",
        ),
    },
    "plant": {
        "living": (
            "Water the plant twice a week and give it sunlight.",
            "The plant has green leaves and small white flowers.",
            "A rare plant grows on the slope of the mountain.",
            "The roots of the plant absorb water from the soil.",
            "She bought a plant in a pot for the window.",
            "This plant blooms only at night in the desert.",
        ),
        "factory": (
            "The car plant employs three thousand workers.",
            "The company closed its plant in Ohio.",
            "An explosion at the chemical plant injured two people.",
            "The nuclear plant supplies power to the city.",
            "Workers at the plant went on strike for better pay.",
            "The steel plant pollutes the air of the town.",
        ),
    },
}

# word, its senses in the order in which they occur, sentence
TWICE = (
    ("apple", ("fruit", "company"), "I ate an apple while I read that Apple had released a new phone."),
    ("apple", ("company", "fruit"), "Apple sells laptops, but the farmer sells one apple at a time."),
    ("apple", ("company", "fruit"), "The engineer from Apple bit into a sweet apple at lunch."),
    ("apple", ("fruit", "company"), "She put the ripe apple next to the computer that Apple had built."),
    ("bank", ("money", "river"), "The bank lent him money to buy a cottage on the bank of the river."),
    ("bank", ("river", "money"), "They fished from the bank and then drove to the bank to cash a check."),
    ("bank", ("river", "money"), "On the grassy bank of the stream sat a clerk who worked for a bank."),
    ("bank", ("money", "river"), "The manager of the bank fell from the muddy bank into the water."),
    ("bat", ("sport", "animal"), "He swung the wooden bat at a bat that flew out of the cave."),
    ("bat", ("animal", "sport"), "The bat flew over the field while the player dropped his bat and ran."),
    ("bat", ("animal", "sport"), "A tiny bat with brown wings slept beside the baseball bat."),
    ("spring", ("season", "coil"), "Last spring, when the flowers bloomed, the metal spring in my bed broke."),
    ("spring", ("coil", "season"), "The rusty spring in the clock snapped on the first day of spring."),
    ("mouse", ("animal", "device"), "The cat caught a mouse under the desk and knocked my wireless mouse off the table."),
    ("mouse", ("device", "animal"), "Click the button of the mouse to see a picture of a mouse eating cheese."),
    ("mouse", ("device", "animal"), "I moved the mouse to the icon while a mouse ran across the kitchen floor."),
    ("crane", ("bird", "machine"), "A white crane built its nest on top of the crane at the construction site."),
    ("crane", ("machine", "bird"), "The operator stopped the crane because a crane was flying with its chicks toward the marsh."),
    ("python", ("code", "snake"), "The zoo wrote a program in python to track how much the python eats."),
    ("python", ("snake", "code"), "The python swallowed a rat while I debugged my python code."),
    ("seal", ("animal", "closure"), "The seal swam up to the boat whose rubber seal was leaking oil."),
    ("seal", ("closure", "animal"), "Break the plastic seal of the tin and feed the fish to the seal."),
    ("plant", ("factory", "living"), "The workers of the steel plant put a green plant with white flowers in the office."),
    ("plant", ("living", "factory"), "She watered the plant before her shift at the chemical plant."),
)

# word, its sense, a sentence whose nearest words point to the other sense
MISLEADING = (
    ("apple", "fruit", "The apple that lay between the laptop and the new iPhone was sweet."),
    ("apple", "company", "Apple, whose office has an orchard and a kitchen, released a faster phone."),
    ("bank", "money", "The bank beside the river and the boats approved my mortgage."),
    ("bank", "river", "The bank where the rich manager counted his cash is covered with willow trees."),
    ("bat", "animal", "The bat that lives above the baseball field eats insects at night."),
    ("bat", "sport", "The bat that he left in a dark cave is made of wood for hitting balls."),
    ("spring", "season", "In spring, when the rusty clock and the old mattress were sold, the flowers bloomed."),
    ("spring", "coil", "The spring that broke in the warm and sunny garden was made of steel."),
    ("mouse", "animal", "The mouse that sat on the keyboard beside my computer ate cheese."),
    ("mouse", "device", "The mouse that lay near the cat in the kitchen has a broken button."),
    ("crane", "bird", "The crane that landed on the steel beams of the tower laid two eggs."),
    ("crane", "machine", "The crane that stands in the marsh among the frogs lifts heavy cargo."),
    ("python", "snake", "The python that lay on the keyboard of the programmer swallowed a rat."),
    ("python", "code", "In python, the keeper of the zoo wrote a script that counts rabbits."),
    ("seal", "animal", "The seal that slept beside the engine and the rubber pipes barked at us."),
    ("seal", "closure", "The seal that the fishermen found on the beach was made of red wax."),
    ("plant", "living", "The plant in the office of the steel company has green leaves."),
    ("plant", "factory", "The plant among the green meadows and white flowers employs many workers."),
)


def words_of(text):
    """The lower-case words of a text; digits, punctuation and the spaces between them left out.

    >>> words_of("Apple released a new iPhone.")
    ['apple', 'released', 'a', 'new', 'iphone']
    """
    return re.findall(r"[^\W\d_]+", text.lower())


def occurrences(word, tokens):
    """The positions at which ``word`` stands among ``tokens``.

    >>> occurrences("bat", ["a", "bat", "saw", "a", "bat"])
    [1, 4]
    """
    return [i for i, token in enumerate(tokens) if token == word]
